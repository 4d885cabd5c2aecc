"""The JSON routes keep to their OpenAPI description, whatever they are sent."""

import pytest

pytest.importorskip("schemathesis", reason="schemathesis is not installed (extra 'dev')")
pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

import schemathesis
from hypothesis import HealthCheck, given, settings

from asker.web.app import create

# Facets of a suite are further parameters, so unknown ones are no error; nor is a method that is not described.
LEFT_OUT = [schemathesis.checks.positive_data_acceptance, schemathesis.checks.unsupported_method]
HEADERS = {"host": "127.0.0.1"}


def test_answers_are_as_described(runs):
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", create(runs), headers=HEADERS)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 3
    for operation in operations:
        _try(operation)


def _try(operation):
    @settings(max_examples=20, suppress_health_check=list(HealthCheck), deadline=None)
    @given(case=operation.as_strategy())
    def send(case):
        case.call_and_validate(headers=HEADERS, excluded_checks=LEFT_OUT)

    send()
