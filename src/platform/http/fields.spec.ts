import { Body, Controller, Module, Patch as PatchRoute, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Create, Patch } from './body.pipe.js';
import {
  Email,
  Flag,
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
  When,
  Whole,
  Word,
  Words,
  Zone,
} from './fields.js';

class Goal {
  @Name({ required: true }) title: string;
}

class Thing {
  @Name({ required: true, description: 'What it is called', example: 'Paint the fence' }) title: string;
  @Text() description?: string;
  @Word({ pattern: /^[a-z]+$/, nullable: false }) type?: string;
  @OneOf(['low', 'high']) priority?: string;
  @Email() email?: string;
  @Password() password?: string;
  @Secret() token?: string;
  @Zone() time_zone?: string;
  @Language() language?: string;
  @Link() url?: string;
  @Id('task') task_id?: string;
  @Ids('task', { max: 5 }) task_ids?: string[];
  @ResourceRef() owner_id?: string;
  @Hours() estimate?: number;
  @Whole({ min: 2, max: 9 }) quorum?: number;
  @Flag({ nullable: false }) is_on?: boolean;
  @When() due_date?: string;
  @Instant() starts_at?: string;
  @JsonObject() metadata?: Record<string, unknown>;
  @Words({ max: 3, each: 7 }) tags?: string[];
  @ListOf(Goal, { min: 1, max: 4 }) goals?: Goal[];
}

class PatchThing extends Goal {
  @Text({ max: 10 }) override title: string;
  @Flag() is_on?: boolean;
}

@Controller('things')
class Things {
  @Post()
  create(@Body(Create(Thing)) dto: Thing): Thing {
    return dto;
  }

  @PatchRoute()
  update(@Body(Patch(PatchThing)) dto: PatchThing): string[] {
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
  it('says of each field what it accepts, in the words of OpenAPI 3.1', async () => {
    expect((await schemas()).Thing).toMatchInlineSnapshot();
  });

  it('lets a field of a class replace the inherited one', async () => {
    expect((await schemas()).PatchThing).toMatchInlineSnapshot();
    const pipe = Patch(PatchThing);
    expect(pipe.transform({ title: null }, {} as never)).toEqual({ title: null });
    expect(() => pipe.transform({ title: 'x'.repeat(11) }, {} as never)).toThrow('title must be at most 10');
  });

  it('agrees with the pipe', async () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    const valid = ajv.compile({ ...((await schemas()).Thing as object), components: { schemas: await schemas() } });
    const pipe = Create(Thing);
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
      else expect(read).toThrow();
    }
  });
});
