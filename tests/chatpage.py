"""A web page with a chatbot, as one meets them: it greets, takes its time, shows that it types, and writes its answer
letter by letter. `answer` is JavaScript that makes the answer of `question` and `count`, the questions of this chat."""

from __future__ import annotations

from aiohttp import web

PAGE = """<!doctype html><meta charset="utf-8"><title>Chat</title>
<button id="cookies" onclick="this.remove()">Accept all</button>
<button id="new" onclick="begin()">New chat</button>
<div id="log"></div><div id="typing" hidden>is typing …</div>
<form onsubmit="submitted(event)"><textarea onkeydown="if (event.key === 'Enter') submitted(event)"></textarea>
<button id="send" disabled>Send</button></form>
<script>
const find = selector => document.querySelector(selector)
const log = find('#log'), box = find('textarea'), go = find('#send'), typing = find('#typing')
const pause = ms => new Promise(done => setTimeout(done, ms))
let count = 0
box.oninput = () => { go.disabled = !box.value }
function bubble(who, text) { const one = document.createElement('p'); one.className = who; one.textContent = text
                             log.append(one); return one }
function begin() { count = 0; setTimeout(() => { log.replaceChildren(); bubble('bot', 'Hello! Ask me.') }, 120) }
async function submitted(event) {
  event.preventDefault()
  const question = box.value; box.value = ''; count += 1; bubble('me', question)
  typing.hidden = false; await pause(DELAY)
  const one = bubble('bot', ''), text = ANSWER
  for (const letter of text) { one.textContent += letter; await pause(letter === '…' ? 700 : 8) }
  typing.hidden = true
}
begin()
</script>"""

FILE = """url = "{url}"
input = "textarea"
send = "#send"
answer = ".bot"
busy = "#typing"
new = "#new"
first = ["#cookies"]
steady = 0.3
"""


def page(answer: str = "`${count}: you said ${question}`", delay: int = 150) -> web.Response:
    return web.Response(text=PAGE.replace("ANSWER", answer).replace("DELAY", str(delay)), content_type="text/html")
