"""Exercises the Python client that openapi-python-client generates, with the import of a file."""

import sys
from io import BytesIO

from worksmith_client import AuthenticatedClient, Client
from worksmith_client.api.auth import auth_login
from worksmith_client.api.endeavours import endeavours_create
from worksmith_client.api.imports import imports_create
from worksmith_client.api.operations import operations_get
from worksmith_client.api.organizations import organizations_create
from worksmith_client.api.tasks import tasks_list, tasks_update
from worksmith_client.models import (
    BadRequestFailure,
    CreateEndeavourInput,
    CreateOrganizationInput,
    ImportFormInput,
    ImportsCreateFormat,
    LoginInput,
    OperationStatus,
    UpdateTaskInput,
)
from worksmith_client.types import File

base_url, email, password = sys.argv[1:]
login = auth_login.sync(client=Client(base_url=base_url), body=LoginInput(email=email, password=password))
client = AuthenticatedClient(base_url=base_url, token=login.data.token)

organization = organizations_create.sync(client=client, body=CreateOrganizationInput(name="Riverside")).data
garden = CreateEndeavourInput(name="Garden", organization_id=organization.id)
endeavour = endeavours_create.sync(client=client, body=garden).data

backlog = File(payload=BytesIO(b"id,title\n1,Paint the gate\n2,Water the roses\n"), file_name="backlog.csv")
started = imports_create.sync(
    client=client,
    body=ImportFormInput(file=backlog),
    format_=ImportsCreateFormat.CSV,
    endeavour_id=endeavour.id,
).data
ended = operations_get.sync(started.id, client=client, prefer="wait=20").data
assert ended.status == OperationStatus.SUCCEEDED, ended
tasks = tasks_list.sync(client=client, endeavour_id=[endeavour.id])
assert sorted(task.title for task in tasks.data) == ["Paint the gate", "Water the roses"]

refused = tasks_update.sync(tasks.data[0].id, client=client, body=UpdateTaskInput(estimate=-1.0))
assert isinstance(refused, BadRequestFailure), refused
assert refused.error.details.fields[0].field == "estimate"
