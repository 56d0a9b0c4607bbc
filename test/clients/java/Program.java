import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What somebody writes first against the Java client of openapi-generator. */
public class Program {
  static void same(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    LoginInput login = new LoginInput().email(arguments[1]).password(arguments[2]);
    String token = new AuthApi(client).authLogin(login).getData().getToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

    CreateOrganizationInput riverside = new CreateOrganizationInput().name("Riverside");
    Organization organization = new OrganizationsApi(client).organizationsCreate(riverside, null).getData();
    CreateEndeavourInput garden = new CreateEndeavourInput().name("Garden").organizationId(organization.getId());
    Endeavour endeavour = new EndeavoursApi(client).endeavoursCreate(garden, null).getData();
    TasksApi tasks = new TasksApi(client);
    CreateTaskInput gate = new CreateTaskInput().title("Paint the gate").endeavourId(endeavour.getId()).estimate(1.5);
    ApiResponse<TaskEnvelope> created = tasks.tasksCreateWithHttpInfo(gate, null);
    Task task = created.getData().getData();
    same(task.getEstimate(), 1.5);

    TasksApi.APITasksListRequest query = TasksApi.APITasksListRequest.newBuilder()
        .status(List.of(TaskStatusFilter.PLANNED, TaskStatusFilter.ACTIVE))
        .endeavourId(List.of(endeavour.getId()))
        .unassigned(true)
        .build();
    TaskPage page = tasks.tasksList(query);
    same(page.getData().get(0).getId(), task.getId());
    same(page.getMeta().getTotal(), 1);

    String etag = created.getHeaders().get("etag").get(0);
    Task patched = tasks.tasksUpdate(task.getId(), new UpdateTaskInput().status(TaskStatus.ACTIVE), null, etag).getData();
    same(patched.getStatus(), TaskStatus.ACTIVE);

    try {
      tasks.tasksUpdate(task.getId(), new UpdateTaskInput().title("Paint it twice"), null, etag);
      throw new AssertionError("a stale change was taken");
    } catch (ApiException error) {
      same(error.getCode(), 412);
      PreconditionFailedFailure failure = read(client, error, PreconditionFailedFailure.class);
      same(failure.getError().getDetails().getCurrentRevision(), patched.getRevision());
    }

    DoDApi dod = new DoDApi(client);
    CreatePolicyInput discussed = new CreatePolicyInput()
        .name("Discussed")
        .addConditionsItem(new CreatePolicyConditionInput().type(CreatePolicyConditionType.COMMENT_REQUIRED))
        .endeavourId(endeavour.getId());
    DodPolicy policy = dod.dodPoliciesCreate(discussed, null).getData();
    dod.dodPolicyAssign(endeavour.getId(), new AssignPolicyInput().policyId(policy.getId()), null, null, null);
    try {
      tasks.tasksUpdate(task.getId(), new UpdateTaskInput().status(TaskStatus.DONE), null, null);
      throw new AssertionError("the task was closed without what its policy asks for");
    } catch (ApiException error) {
      ConflictError conflict = read(client, error, ConflictFailure.class).getError();
      same(conflict.getCode(), ConflictCode.DOD_NOT_MET);
      ConditionResult condition = conflict.getDetails().getConditions().get(0);
      same(condition.getType(), "comment_required");
      same(condition.getStatus(), ConditionResultStatus.FAILED);
    }

    RitualsApi rituals = new RitualsApi(client);
    CreateRitualInput round = new CreateRitualInput()
        .name("Morning round")
        .endeavourId(endeavour.getId())
        .schedule(new RitualScheduleInput().type(RitualScheduleType.INTERVAL).every("1d"));
    Ritual ritual = rituals.ritualsCreate(round, null).getData();
    Ritual kept = rituals.ritualsGet(ritual.getId(), null, null).getData();
    same(kept.getSchedule().getEvery(), "1d");
    Resource resource = new ResourcesApi(client).resourcesGet(task.getOwnerId(), null, null).getData();
    same(resource.getType(), ResourceType.HUMAN);
  }

  private static <T> T read(ApiClient client, ApiException error, Class<T> type) throws Exception {
    return client.getObjectMapper().readValue(error.getResponseBody(), type);
  }
}
