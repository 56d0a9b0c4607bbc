<?php
// Exercises the PHP client that openapi-generator generates. Arguments: its folder, the service, e-mail address, password.

declare(strict_types=1);

use OpenAPI\Client\Api;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;

[, $folder, $service, $email, $password] = $argv;

set_error_handler(fn (int $kind, string $text, string $file, int $line) => throw new ErrorException($text, 0, $kind, $file, $line));
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($folder): void {
    $file = $folder . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && is_file($file)) {
        require $file;
    }
});

function check(bool $holds, string $what): void
{
    if (!$holds) {
        throw new RuntimeException($what);
    }
}

/** Runs what is refused; returns the exception. */
function refused(callable $call): ApiException
{
    try {
        $call();
    } catch (ApiException $error) {
        return $error;
    }
    throw new RuntimeException('the request was not refused');
}

$configuration = (new Configuration())->setHost($service);
$http = new GuzzleHttp\Client();

$login = (new Api\AuthApi($http, $configuration))->authLogin(new Model\LoginInput(['email' => $email, 'password' => $password]));
$configuration->setAccessToken($login->getData()->getToken());

$endeavour = (new Api\EndeavoursApi($http, $configuration))
    ->endeavoursCreate(new Model\CreateEndeavourInput(['name' => 'Garden']))
    ->getData();
$tasks = new Api\TasksApi($http, $configuration);
$input = new Model\CreateTaskInput(['title' => 'Paint the gate', 'endeavour_id' => $endeavour->getId(), 'estimate' => 1.5]);
[$created, , $headers] = $tasks->tasksCreateWithHttpInfo($input);
$task = $created->getData();
check($task->getEstimate() === 1.5 && $task->getDod() === null, 'the created task');

$page = $tasks->tasksList(endeavour_id: [$endeavour->getId()], unassigned: true, sort: ['-created_at']);
check(array_map(fn ($one) => $one->getId(), $page->getData()) === [$task->getId()], 'the list');
check($page->getMeta()->getTotal() === 1, 'the total of the list');

$etag = $headers['ETag'][0] ?? $headers['etag'][0];
$change = new Model\UpdateTaskInput(['status' => Model\TaskStatus::ACTIVE]);
$patched = $tasks->tasksUpdate($task->getId(), $change, if_match: $etag)->getData();
check($patched->getStatus() === Model\TaskStatus::ACTIVE && $patched->getStartedAt() !== null, 'the changed task');

$stale = refused(fn () => $tasks->tasksUpdate($task->getId(), new Model\UpdateTaskInput(['title' => 'Twice']), if_match: $etag));
check($stale->getCode() === 412, 'the status of a stale change');
check($stale->getResponseObject()->getError()->getDetails()->getCurrentRevision() === $patched->getRevision(), 'its details');

$invalid = refused(fn () => $tasks->tasksCreate(new Model\CreateTaskInput(['title' => '', 'endeavour_id' => $endeavour->getId()])));
check($invalid->getCode() === 400, 'the status of an invalid body');
check($invalid->getResponseObject()->getError()->getDetails()->getFields()[0]->getField() === 'title', 'the field that is named');
