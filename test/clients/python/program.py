"""Exercises the Python client that openapi-generator generates."""

import sys

import openapi_client as api
from openapi_client.exceptions import ApiException

base_url, email, password = sys.argv[1:]
configuration = api.Configuration(host=base_url)
client = api.ApiClient(configuration)

login = api.AuthApi(client).auth_login(api.LoginInput(email=email, password=password))
configuration.access_token = login.data.token

organization = api.OrganizationsApi(client).organizations_create(api.CreateOrganizationInput(name="Riverside")).data
endeavour = api.EndeavoursApi(client).endeavours_create(
    api.CreateEndeavourInput(name="Garden", organization_id=organization.id)
).data
tasks = api.TasksApi(client)
created = tasks.tasks_create_with_http_info(
    api.CreateTaskInput(title="Paint the gate", endeavour_id=endeavour.id, estimate=1.5)
)
task = created.data.data
assert task.estimate == 1.5 and task.dod is None

page = tasks.tasks_list(
    status=[api.TaskStatusFilter.PLANNED, api.TaskStatusFilter.ACTIVE],
    endeavour_id=[endeavour.id],
    unassigned=True,
    sort=["-created_at"],
)
assert [one.id for one in page.data] == [task.id] and page.meta.total == 1

etag = created.headers["etag"]
patched = tasks.tasks_update(task.id, api.UpdateTaskInput(status=api.TaskStatus.ACTIVE), if_match=etag).data
assert patched.status == api.TaskStatus.ACTIVE and patched.started_at is not None

try:
    tasks.tasks_update(task.id, api.UpdateTaskInput(title="Paint it twice"), if_match=etag)
    raise AssertionError("a stale change was taken")
except ApiException as error:
    assert error.status == 412
    assert error.data.error.details.current_revision == patched.revision

policy = api.DodApi(client).dod_policies_create(
    api.CreatePolicyInput(
        name="Discussed",
        conditions=[api.CreatePolicyConditionInput(type="comment_required")],
        endeavour_id=endeavour.id,
    )
).data
api.DodApi(client).endeavours_dod_policy_set(endeavour.id, api.AssignPolicyInput(policy_id=policy.id))
try:
    tasks.tasks_update(task.id, api.UpdateTaskInput(status=api.TaskStatus.DONE))
    raise AssertionError("the task was closed without what its policy asks for")
except ApiException as error:
    conflict = error.data.error
    assert error.status == 409 and conflict.code == api.ConflictCode.DOD_NOT_MET
    condition = conflict.details.conditions[0]
    assert condition.type == "comment_required" and condition.status == api.ConditionResultStatus.FAILED

rituals = api.RitualsApi(client)
ritual = rituals.rituals_create(
    api.CreateRitualInput(
        name="Morning round",
        endeavour_id=endeavour.id,
        schedule=api.RitualScheduleInput(type="interval", every="1d"),
    )
).data
read = rituals.rituals_get(ritual.id).data
assert read.schedule.every == "1d"
assert read.last_run is None
resource = api.ResourcesApi(client).resources_get(task.owner_id).data
assert resource.type == api.ResourceType.HUMAN
