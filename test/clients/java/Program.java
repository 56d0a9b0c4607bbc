import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/**
 * Exercises the Java client that openapi-generator generates. Calls take request objects, so that a new optional
 * parameter of an operation does not break existing callers.
 */
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
    OrganizationsApi.APIOrganizationsCreateRequest founding =
        OrganizationsApi.APIOrganizationsCreateRequest.newBuilder().createOrganizationInput(riverside).build();
    Organization organization = new OrganizationsApi(client).organizationsCreate(founding).getData();
    CreateEndeavourInput garden = new CreateEndeavourInput().name("Garden").organizationId(organization.getId());
    EndeavoursApi.APIEndeavoursCreateRequest planning =
        EndeavoursApi.APIEndeavoursCreateRequest.newBuilder().createEndeavourInput(garden).build();
    Endeavour endeavour = new EndeavoursApi(client).endeavoursCreate(planning).getData();
    TasksApi tasks = new TasksApi(client);
    CreateTaskInput gate = new CreateTaskInput().title("Paint the gate").endeavourId(endeavour.getId()).estimate(1.5);
    TasksApi.APITasksCreateRequest creation =
        TasksApi.APITasksCreateRequest.newBuilder().createTaskInput(gate).build();
    ApiResponse<TaskEnvelope> created = tasks.tasksCreateWithHttpInfo(creation);
    Task task = created.getData().getData();
    same(task.getEstimate(), 1.5);

    TasksApi.APITasksListRequest query = TasksApi.APITasksListRequest.newBuilder()
        .status(List.of(TaskStatusFilter.PLANNED, TaskStatusFilter.ACTIVE))
        .endeavourId(List.of(endeavour.getId()))
        .unassigned(true)
        .build();
    TaskPage page = tasks.tasksList(query);
    same(page.getData().get(0).getId(), task.getId());
    same(page.getMeta().getTotal(), 1L);

    String etag = created.getHeaders().get("etag").get(0);
    Task patched = tasks.tasksUpdate(change(task, new UpdateTaskInput().status(TaskStatus.ACTIVE), etag)).getData();
    same(patched.getStatus(), TaskStatus.ACTIVE);

    try {
      tasks.tasksUpdate(change(task, new UpdateTaskInput().title("Paint it twice"), etag));
      throw new AssertionError("a stale change was taken");
    } catch (ApiException error) {
      same(error.getCode(), 412);
      PreconditionFailedFailure failure = read(client, error, PreconditionFailedFailure.class);
      same(failure.getError().getDetails().getCurrentRevision(), patched.getRevision());
    }

    DodApi dod = new DodApi(client);
    CreatePolicyInput discussed = new CreatePolicyInput()
        .name("Discussed")
        .addConditionsItem(new CreatePolicyConditionInput().type(CreatePolicyConditionType.COMMENT_REQUIRED))
        .endeavourId(endeavour.getId());
    DodPolicy policy = dod.dodPoliciesCreate(
        DodApi.APIDodPoliciesCreateRequest.newBuilder().createPolicyInput(discussed).build()).getData();
    dod.endeavoursDodPolicySet(DodApi.APIEndeavoursDodPolicySetRequest.newBuilder()
        .id(endeavour.getId())
        .assignPolicyInput(new AssignPolicyInput().policyId(policy.getId()))
        .build());
    try {
      tasks.tasksUpdate(change(task, new UpdateTaskInput().status(TaskStatus.DONE), null));
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
    Ritual ritual = rituals.ritualsCreate(
        RitualsApi.APIRitualsCreateRequest.newBuilder().createRitualInput(round).build()).getData();
    Ritual kept = rituals.ritualsGet(
        RitualsApi.APIRitualsGetRequest.newBuilder().id(ritual.getId()).build()).getData();
    same(kept.getSchedule().getEvery(), "1d");
    Resource resource = new ResourcesApi(client).resourcesGet(
        ResourcesApi.APIResourcesGetRequest.newBuilder().id(task.getOwnerId()).build()).getData();
    same(resource.getType(), ResourceType.HUMAN);
  }

  private static TasksApi.APITasksUpdateRequest change(Task task, UpdateTaskInput input, String etag) {
    return TasksApi.APITasksUpdateRequest.newBuilder()
        .id(task.getId()).updateTaskInput(input).ifMatch(etag).build();
  }

  private static <T> T read(ApiClient client, ApiException error, Class<T> type) throws Exception {
    return client.getObjectMapper().readValue(error.getResponseBody(), type);
  }
}
