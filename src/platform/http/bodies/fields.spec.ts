import { Body, Controller, Module, Patch as PatchRoute, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ApiError } from '../../../common/errors.js';
import { CreateBody, PatchBody } from './body.pipe.js';
import {
  Email,
  Bool,
  Hours,
  Id,
  Ids,
  Instant,
  JsonObject,
  Language,
  Link,
  ListOf,
  Name,
  OneOf,
  Password,
  ResourceRef,
  Secret,
  Text,
  DateOrDateTime,
  Int,
  Keyword,
  StringList,
  TimeZone,
} from './fields.js';

class Goal {
  @Name({ required: true }) title: string;
}

class Thing {
  @Name({ required: true, description: 'What it is called', example: 'Paint the fence' }) title: string;
  @Text() description?: string;
  @Keyword({ pattern: /^[a-z]+$/, nullable: false }) type?: string;
  @OneOf(['low', 'high']) priority?: string;
  @Email() email?: string;
  @Password() password?: string;
  @Secret() token?: string;
  @TimeZone() time_zone?: string;
  @Language() language?: string;
  @Link() url?: string;
  @Id('task') task_id?: string;
  @Ids('task', { max: 5 }) task_ids?: string[];
  @ResourceRef() owner_id?: string;
  @Hours() estimate?: number;
  @Int({ min: 2, max: 9 }) quorum?: number;
  @Bool({ nullable: false }) is_on?: boolean;
  @DateOrDateTime() due_date?: string;
  @Instant() starts_at?: string;
  @JsonObject() metadata?: Record<string, unknown>;
  @StringList({ max: 3, each: 7 }) tags?: string[];
  @ListOf(Goal, { min: 1, max: 4 }) goals?: Goal[];
}

class PatchGoal extends Goal {
  @Name({ nullable: false }) override title: string;
  @Bool() is_met?: boolean;
}

@Controller('things')
class Things {
  @Post()
  create(@Body(CreateBody(Thing)) dto: Thing): Thing {
    return dto;
  }

  @PatchRoute()
  update(@Body(PatchBody(PatchGoal)) dto: PatchGoal): string[] {
    return Object.keys(dto);
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

async function schemas(): Promise<Record<string, unknown>> {
  const built = await Test.createTestingModule({ imports: [ThingsModule] }).compile();
  const app = built.createNestApplication(new FastifyAdapter(), { logger: false });
  await app.init();
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
  await app.close();
  return document.components?.schemas ?? {};
}

describe('the document', () => {
  it('describes what each field accepts as an OpenAPI 3.1 schema', async () => {
    const id = '^(?:(?:tsk)_[0-9a-f]{32}|[A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,8})$';
    expect((await schemas()).Thing).toEqual({
      type: 'object',
      required: ['title'],
      properties: {
        title: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'What it is called',
          example: 'Paint the fence',
          // Removed when the example of the body is made.
          'x-usual': true,
        },
        description: { type: ['string', 'null'], maxLength: 50_000 },
        type: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[a-z]+$' },
        priority: { type: ['string', 'null'], enum: ['low', 'high', null] },
        email: { type: ['string', 'null'], format: 'email', maxLength: 254 },
        password: { type: ['string', 'null'], format: 'password', minLength: 12, maxLength: 128 },
        token: { type: ['string', 'null'], minLength: 1, maxLength: 4096 },
        time_zone: { type: ['string', 'null'], maxLength: 64, example: 'Europe/Berlin' },
        language: { type: ['string', 'null'], maxLength: 35, example: 'de-CH' },
        url: { type: ['string', 'null'], format: 'uri', maxLength: 2048 },
        task_id: { type: ['string', 'null'], pattern: id },
        task_ids: { type: ['array', 'null'], items: { type: 'string', pattern: id }, maxItems: 5, uniqueItems: true },
        owner_id: { type: ['string', 'null'], pattern: '^me$|^(?:res|usr)_[0-9a-f]{32}$' },
        estimate: { type: ['number', 'null'], format: 'double', multipleOf: 0.0001, minimum: 0, maximum: 1e9 },
        quorum: { type: ['integer', 'null'], minimum: 2, maximum: 9 },
        is_on: { type: 'boolean' },
        due_date: expect.objectContaining({ type: ['string', 'null'], example: '2026-11-20T10:00:00.000Z' }),
        starts_at: { type: ['string', 'null'], format: 'date-time', example: '2026-11-20T10:00:00.000Z' },
        metadata: { type: ['object', 'null'], additionalProperties: true, maxProperties: 2000 },
        tags: {
          type: ['array', 'null'],
          items: { type: 'string', minLength: 1, maxLength: 7 },
          maxItems: 3,
          uniqueItems: true,
        },
        goals: { type: ['array', 'null'], items: { $ref: '#/components/schemas/Goal' }, minItems: 1, maxItems: 4 },
      },
    });
  });

  it('lets a field of a class replace the inherited one', async () => {
    expect((await schemas()).PatchGoal).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 500 },
        is_met: { type: ['boolean', 'null'] },
      },
    });
    expect(CreateBody(PatchGoal).transform({}, {} as never)).toEqual({});
    expect(() => PatchBody(PatchGoal).transform({ title: null }, {} as never)).toThrow('title cannot be null.');
  });

  it('accepts and rejects the same bodies as the pipe', async () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    const valid = ajv.compile({ ...((await schemas()).Thing as object), components: { schemas: await schemas() } });
    const pipe = CreateBody(Thing);
    const base = { title: 'a' };
    const bodies: [unknown, boolean][] = [
      [{ ...base, description: null, priority: null, goals: null, estimate: null, metadata: null, tags: null }, true],
      [{ ...base, priority: 'low', quorum: 2, tags: ['a'], due_date: '2026-11-20', owner_id: 'me' }, true],
      [{ description: 'x' }, false],
      [{ ...base, priority: 'middle' }, false],
      [{ ...base, quorum: 2.5 }, false],
      [{ ...base, tags: ['a', 'a'] }, false],
      [{ ...base, type: 'A' }, false],
      [{ ...base, task_id: `edv_${'0'.repeat(32)}` }, false],
    ];
    for (const [body, accepted] of bodies) {
      expect([body, valid(body)]).toEqual([body, accepted]);
      const read = () => pipe.transform(body, {} as never);
      if (accepted) expect(read).not.toThrow();
      else expect(read).toThrow(ApiError);
    }
  });
});
