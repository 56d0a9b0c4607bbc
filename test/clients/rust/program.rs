//! Exercises the Rust client that openapi-generator generates: every value below has the type in the OpenAPI document.

use std::{env, error::Error};
use worksmith_client::apis::{
    auth_api, changes_api, configuration::Configuration, endeavours_api, organizations_api, tasks_api, users_api,
    Error as ApiError,
};
use worksmith_client::models;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The status and the body of a request that must be refused.
fn refusal<T, E>(what: &str, outcome: Result<T, ApiError<E>>) -> Outcome<(u16, String, bool)> {
    match outcome {
        Err(ApiError::ResponseError(refused)) => {
            Ok((refused.status.as_u16(), refused.content, refused.entity.is_some()))
        }
        Err(other) => Err(format!("{what}: not a response: {other}").into()),
        Ok(_) => Err(format!("{what}: not refused").into()),
    }
}

async fn run() -> Outcome<()> {
    let mut arguments = env::args().skip(1);
    let mut next = || arguments.next().ok_or("service, address and password are required");
    let mut api = Configuration { base_path: next()?, ..Configuration::new() };
    let (email, password) = (next()?, next()?);

    let login = auth_api::auth_login(&api, models::LoginInput::new(email, password.clone())).await?;
    api.bearer_access_token = login.data.token;

    let riverside = models::CreateOrganizationInput::new("Riverside".to_owned());
    let organization = organizations_api::organizations_create(&api, riverside, None, None).await?.data;
    let mut garden = models::CreateEndeavourInput::new("Garden".to_owned());
    garden.organization_id = Some(Some(organization.id));
    let endeavour = endeavours_api::endeavours_create(&api, garden, None, None, None).await?.data;
    let mut gate = models::CreateTaskInput::new("Paint the gate".to_owned(), endeavour.id);
    gate.estimate = Some(Some(1.5));
    let task = tasks_api::tasks_create(&api, gate, None, None, None).await?.data;
    assert_eq!((task.title.as_str(), task.estimate), ("Paint the gate", Some(1.5)));

    let feed = changes_api::changes_list(&api, None, None, None, None, None, None, None, None, None, None, None, None);
    let sequence: i64 = feed.await?.meta.next;
    assert!(sequence > 0);

    let change = models::UpdateTaskInput { estimate: Some(Some(-1.0)), ..Default::default() };
    let invalid = tasks_api::tasks_update(&api, &task.id, change, None, None, None, None).await;
    let (status, content, is_typed) = refusal("a negative estimate", invalid)?;
    assert!(status == 400 && is_typed && content.contains("\"field\":\"estimate\""), "{status} {content}");

    let ann = models::CreateUserInput {
        email: "ann.rust@example.com".to_owned(),
        name: "Ann Archer".to_owned(),
        password: Some(Some(password)),
        ..Default::default()
    };
    users_api::users_create(&api, ann.clone(), None, None).await?;
    let (status, content, is_typed) = refusal("an address twice", users_api::users_create(&api, ann, None, None).await)?;
    assert!(status == 409 && is_typed && content.contains("email_taken"), "{status} {content}");
    Ok(())
}

fn main() -> Outcome<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}
