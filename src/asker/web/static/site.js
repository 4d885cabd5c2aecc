"use strict";
// Small comforts. Every page works without this file.
