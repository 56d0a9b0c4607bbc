import type { Person, TestApp } from './test-app.js';

export interface ImportNote {
  kind: string;
  name: string;
  count: number;
  line: number | null;
  message: string;
}

/** A task or comment as the service returns it. */
type Imported = Record<string, unknown> & {
  id: string;
  title: string;
  status: string;
  metadata: Record<string, unknown>;
};

export interface ImportReport {
  id: string;
  counts: Record<string, number>;
  notes: ImportNote[];
  notes_total: number;
  refused: number;
  refusals: { line: number; external_id: string; code: string; reason: string | null; message: string }[];
}

type Parameters = Record<string, string | object>;

/** Imports files into an endeavour, and reads what came of it. */
export class Importing {
  constructor(
    private readonly app: TestApp,
    readonly person: Person,
    readonly endeavour: string,
  ) {}

  send(query: Parameters, file: Buffer | string | object, person = this.person) {
    const texts = Object.entries({ endeavour_id: this.endeavour, ...query }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return this.app
      .as(person)
      .post(`/imports?${new URLSearchParams(Object.fromEntries(texts)).toString()}`)
      .set('Content-Type', 'application/octet-stream')
      .send(typeof file === 'string' || Buffer.isBuffer(file) ? file : JSON.stringify(file));
  }

  /** Runs an import that succeeds, and returns its report. */
  async run(query: Parameters, file: Buffer | string | object, person = this.person): Promise<ImportReport> {
    const { body, headers } = await this.send(query, file, person).expect(202);
    const ended = await this.app.ended(person, headers.location);
    expect(ended.body.data).toMatchObject({ status: 'succeeded', error: null });
    return this.report(body.data.id.replace('opr_', 'imp_'), person);
  }

  async report(id: string, person = this.person): Promise<ImportReport> {
    const { body } = await this.app.as(person).get(`/imports/${id}`).expect(200);
    return body.data;
  }

  /** Returns the message of the refusal of a whole file. */
  async refusal(query: Parameters, file: Buffer | string | object): Promise<string> {
    const { body } = await this.send(query, file).expect(400);
    expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'file', code: 'invalid_format' })]);
    return body.error.details.fields[0].message;
  }

  /** Returns all tasks of the endeavour by their titles. */
  async tasks(): Promise<Map<string, Imported>> {
    const { body } = await this.app.as(this.person).get(`/tasks?endeavour_id=${this.endeavour}&limit=200`).expect(200);
    return new Map(body.data.map((task: Imported) => [task.title, task]));
  }

  async statuses(): Promise<Record<string, string>> {
    return Object.fromEntries([...(await this.tasks())].map(([title, { status }]) => [title, status]));
  }

  async comments(taskId: string): Promise<Imported[]> {
    const { body } = await this.app.as(this.person).get(`/comments?entity_id=${taskId}&sort=created_at`).expect(200);
    return body.data;
  }

  /** Returns the relations of a task, as `<type> <title of the source> > <title of the target>`. */
  async relations(taskId: string): Promise<string[]> {
    const { body } = await this.app.as(this.person).get(`/relations?entity_type=task&entity_id=${taskId}`).expect(200);
    const titles = new Map([...(await this.tasks())].map(([title, { id }]) => [id, title]));
    return body.data.map(
      (relation: Record<string, string>) =>
        `${relation.relationship_type} ${titles.get(relation.source_entity_id)} > ${titles.get(relation.target_entity_id)}`,
    );
  }
}

/** Returns the notes of a kind as `<count> <name>: <message>`. */
export const notesOf = ({ notes }: ImportReport, kind: string): string[] =>
  notes.filter((note) => note.kind === kind).map(({ count, name, message }) => `${count} ${name}: ${message}`);
