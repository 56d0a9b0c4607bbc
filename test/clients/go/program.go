// Exercises the Go client that oapi-codegen generates: it decodes responses of 400 and 409 into their types.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/api"

	"github.com/oapi-codegen/runtime/types"
)

func same[T comparable](what string, actual, expected T) {
	if actual != expected {
		panic(fmt.Sprintf("%s: expected %v, got %v", what, expected, actual))
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	url, email, password := os.Args[1], os.Args[2], os.Args[3]
	var token string
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	client := must(api.NewClientWithResponses(url, api.WithRequestEditorFn(authorize)))

	login := must(client.AuthLoginWithResponse(ctx, api.LoginInput{Email: types.Email(email), Password: password}))
	same("login", login.StatusCode(), 200)
	token = *login.JSON200.Data.Token

	organization := must(client.OrganizationsCreateWithResponse(ctx, nil, api.CreateOrganizationInput{Name: "Riverside"}))
	organizationId := organization.JSON201.Data.Id
	endeavour := must(client.EndeavoursCreateWithResponse(ctx, nil, api.CreateEndeavourInput{Name: "Garden", OrganizationId: &organizationId}))
	created := must(client.TasksCreateWithResponse(ctx, nil, api.CreateTaskInput{Title: "Paint the gate", EndeavourId: endeavour.JSON201.Data.Id}))
	task := created.JSON201.Data
	same("title", task.Title, "Paint the gate")

	// Sequences need integers of eight bytes.
	var sequence int64 = must(client.ChangesListWithResponse(ctx, nil)).JSON200.Meta.Next
	if sequence <= 0 {
		panic("the feed has no sequence")
	}

	estimate := -1.0
	invalid := must(client.TasksUpdateWithResponse(ctx, task.Id, nil, api.UpdateTaskInput{Estimate: &estimate}))
	same("status", invalid.StatusCode(), 400)
	if invalid.JSON400 == nil {
		panic("the 400 was not decoded: " + invalid.HTTPResponse.Header.Get("Content-Type"))
	}
	same("field", (*invalid.JSON400.Error.Details.Fields)[0].Field, "estimate")

	ann := api.CreateUserInput{Email: "ann@example.com", Name: "Ann Archer", Password: &password}
	same("user", must(client.UsersCreateWithResponse(ctx, nil, ann)).StatusCode(), 201)
	again := must(client.UsersCreateWithResponse(ctx, nil, ann))
	same("status", again.StatusCode(), 409)
	if again.JSON409 == nil {
		panic("the 409 was not decoded")
	}
	same("code", string(again.JSON409.Error.Code), "conflict")
	same("reason", string(*again.JSON409.Error.Details.Reason), "email_taken")
}
