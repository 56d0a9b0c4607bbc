import { Controller, Get, Post } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { Operation } from '../../src/access/operations/operation.js';
import { OperationRegistry } from '../../src/access/operations/operation-registry.js';
import { RoutePath } from '../../src/platform/http/server/route-path.js';
import { TransactionalPost } from '../../src/platform/http/requests/transactional-routes.js';

@Controller('seeds')
class Undeclared {
  @Get()
  list(): object {
    return {};
  }

  @TransactionalPost()
  @Operation('tasks_create', { summary: 'Create seed' })
  create(): object {
    return {};
  }

  @TransactionalPost('again')
  @Operation('tasks_create', { summary: 'Create seed' })
  createAgain(): object {
    return {};
  }

  @Post('outside')
  @Operation('tasks_bulk', { summary: 'Create seeds outside of a transaction' })
  createOutside(): object {
    return {};
  }
}

const containerOf = (controller: Function): ModulesContainer =>
  new Map([['seeds', { controllers: new Map([[controller, { metatype: controller }]]) }]]) as never;

describe('the registry of operations', () => {
  it('does not start with a route that is not declared completely, or a permission row without a route', () => {
    const start = (): OperationRegistry => new OperationRegistry(containerOf(Undeclared));
    const faultsOf = (): string[] => {
      try {
        return [...start().all].map(({ id }) => id);
      } catch (error) {
        return (error as Error).message.split('\n');
      }
    };
    expect(faultsOf()).toEqual(
      expect.arrayContaining([
        'GET /api/v1/seeds (Undeclared.list) has no @Operation(...), so nothing says who can call it.',
        'POST /api/v1/seeds/again (Undeclared.createAgain) has the operation id tasks_create of another route.',
        'POST /api/v1/seeds/outside (Undeclared.createOutside) must be declared with TransactionalPost: writes run in a transaction, reads do not.',
        'The permission row tasks_get has no route.',
      ]),
    );
  });
});

describe('the path of a route', () => {
  const path = new RoutePath('/webhooks/:id/deliveries/:delivery_id');

  it.each([
    ['/webhooks/whk_1/deliveries/del_1', true],
    ['/webhooks/whk_1/deliveries', false],
    ['/webhooks//deliveries/del_1', false],
    ['/webhooks/whk_1/deliveries/del_1/', false],
    ['/webhooks/whk_1/test/del_1', false],
  ])('matches requests with as many segments: %s', (sent, isMatch) => {
    expect(path.matches(sent)).toBe(isMatch);
  });

  it('is filled with all values, encoded, or not at all', () => {
    expect(path.filled({ id: 'a/b', delivery_id: 'c' })).toBe('/webhooks/a%2Fb/deliveries/c');
    expect(path.filled({ id: 'a' })).toBeUndefined();
    expect(path.filled({ id: 'a', delivery_id: '' })).toBeUndefined();
    expect(new RoutePath('/rituals/:constructor').filled({})).toBeUndefined();
  });
});
