import {
  aboutOf,
  nameOfRef,
  operationsIn,
  pascal,
  refTo,
  type DocumentDraft,
  type OperationDocument,
  type Schema,
  type Schemas,
} from './schema.js';
import { plainConst, split, withoutType } from './plain-schema.js';

/** The position of a schema: its component and property. */
interface SchemaPosition {
  owner: string;
  property: string;
  /** Bodies have separate components, because they accept less than responses contain. */
  isInput: boolean;
  /** A parameter may accept more values than the property. */
  isParameter?: boolean;
}

const INPUT = 'Input';

/** Suffixes that generators use for parts of an operation; no schema may have such a name. */
const OPERATION_SUFFIXES = ['Body', 'Data', 'Error', 'Params', 'Request', 'Response', 'Result'];

/** Renames components: `CreateTaskDto` is `CreateTaskInput` in the document. */
export function renameDtos(document: DocumentDraft): void {
  const renamed = (name: string): string => name.replace(/Dto$/, INPUT);
  const text = JSON.stringify(document).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${renamed(name)}"`,
  );
  Object.assign(document, JSON.parse(text));
  const { components } = document;
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [renamed(name), schema]),
  );
}

/**
 * Makes every enum, nested object and envelope a component, because generators derive classes from components and give
 * inline schemas unstable names. `Task.status` becomes `TaskStatus`. If another component has the same values under the
 * same property, and one name extends the other (`UpdateTaskInput.status`), they share it. `component(...)` or the
 * `title` of an object sets a name explicitly.
 */
export class ComponentNames {
  private readonly schemas: Schemas;
  private readonly taken: ReadonlySet<string>;
  private readonly views: string[];

  constructor(private readonly document: DocumentDraft) {
    this.schemas = document.components.schemas;
    const operations = [...operationsIn(document)].map(({ operation }) => pascal(operation.operationId));
    this.taken = new Set(operations.flatMap((name) => OPERATION_SUFFIXES.map((suffix) => name + suffix)));
    this.views = Object.keys(this.schemas).filter((name) => !name.endsWith(INPUT));
  }

  apply(): void {
    const names = Object.keys(this.schemas);
    const isInput = (name: string): boolean => name.endsWith(INPUT);
    const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
    const ordered = [
      ...names.filter((name) => !isInput(name)).sort(byLength),
      ...names.filter((name) => isInput(name)).sort(byLength),
    ];
    for (const name of ordered) {
      this.schemas[name] = this.withNestedReferences(this.schemas[name], name, isInput(name));
    }
    for (const { method, operation } of operationsIn(this.document)) {
      const { operationId } = operation;
      // Only the verbs of reads add nothing: `tasks_dependencies_get` is about `TasksDependencies`.
      const owner = pascal(method === 'get' ? aboutOf(operationId) : operationId);
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content ?? {})) {
          if (media.schema.$ref === undefined) media.schema = this.envelope(media.schema, owner, status);
        }
      }
      for (const parameter of operation.parameters ?? []) {
        // Not replaced, because generators look for the values of a path parameter in its own schema.
        if (parameter.$ref !== undefined || parameter.in === 'path') continue;
        const subject = this.subjectOf(method, operation) ?? owner;
        parameter.schema = this.replaced(parameter.schema, {
          owner: subject,
          property: parameter.name,
          isInput: false,
          isParameter: true,
        });
      }
    }
  }

  /** The subject of a list or read, for the names of the values of its parameters. */
  private subjectOf(method: string, { responses }: OperationDocument): string | undefined {
    const schema = responses['200']?.content?.['application/json']?.schema;
    if (method !== 'get' || schema?.$ref === undefined) return undefined;
    const data = this.schemas[nameOfRef(schema.$ref)].properties?.data;
    const item = data?.items ?? data;
    return item?.$ref && nameOfRef(item.$ref);
  }

  private envelope(schema: Schema, owner: string, status: string): Schema {
    const { data, meta } = schema.properties ?? {};
    if (schema.oneOf !== undefined) {
      return this.store([`${owner}Answer`], {
        oneOf: schema.oneOf.map((option) => this.envelope(option, owner, status)),
      });
    }
    if (data === undefined) return this.replaced(schema, { owner, property: '', isInput: false });
    const item = data.type === 'array' ? data.items : data;
    const isNamed = item?.$ref !== undefined;
    const name = isNamed ? nameOfRef(item?.$ref ?? '') : `${owner}${status === '202' ? 'Accepted' : ''}`;
    const kind = meta !== undefined ? 'Page' : data.type === 'array' ? 'ListEnvelope' : 'Envelope';
    const position = { owner: name, property: '', isInput: false };
    const replaced =
      data.type === 'array'
        ? { ...data, items: this.replaced(data.items ?? {}, position) }
        : this.replaced(data, position);
    return this.store([`${name}${kind}`], { ...schema, properties: { ...schema.properties, data: replaced } });
  }

  /** The schema of a component with nested schemas replaced by references. */
  private withNestedReferences(schema: Schema, owner: string, isInput: boolean): Schema {
    const { properties, items, additionalProperties } = schema;
    return {
      ...schema,
      ...(items && { items: this.replaced(items, { owner, property: 'item', isInput }) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.replaced(additionalProperties, { owner, property: 'value', isInput }),
      }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([property, nested]) => [
            property,
            this.replaced(nested, { owner, property, isInput }),
          ]),
        ),
      }),
    };
  }

  /** The replacement for the schema at that position. */
  private replaced(schema: Schema, position: SchemaPosition): Schema {
    const { core, isNullable, description } = split(plainConst(schema));
    const described = description !== undefined && { description };
    const inner = this.core(core, position);
    if (!isNullable) return { ...inner, ...described };
    if (inner.$ref !== undefined || inner.anyOf !== undefined) {
      return { ...described, anyOf: [...(inner.anyOf ?? [inner]), { type: 'null' }] };
    }
    return { ...inner, type: [inner.type as string, 'null'], ...described };
  }

  private core(schema: Schema, position: SchemaPosition): Schema {
    const { property, isInput } = position;
    if (schema.$ref !== undefined) return withoutType(schema);
    if (schema.anyOf !== undefined) {
      return { ...schema, anyOf: schema.anyOf.map((option) => this.replaced(option, position)) };
    }
    if (schema.enum !== undefined && schema.type === 'string') {
      const { type, enum: values, ...rest } = schema;
      return { ...rest, ...this.store(this.namesOf(position), { type, enum: values, ...varNames(values) }) };
    }
    if (schema.properties !== undefined) {
      const { example, title, ...rest } = schema;
      const derived = this.namesOf(position).map((name) => (isInput ? `${name}${INPUT}` : name));
      const names = title === undefined ? derived : [title];
      return {
        ...this.store(names, this.withNestedReferences(rest, names[0], isInput)),
        ...(example !== undefined && { example }),
      };
    }
    if (schema.items !== undefined) {
      return { ...schema, items: this.replaced(schema.items, { ...position, property: singular(property) }) };
    }
    if (typeof schema.additionalProperties === 'object') {
      return {
        ...schema,
        additionalProperties: this.replaced(schema.additionalProperties, {
          ...position,
          property: `${singular(property)}_value`,
        }),
      };
    }
    // Explicit, because generators otherwise do not know that the values are arbitrary.
    if (schema.type === 'object') return this.freeForm(schema, position);
    // Explicit, because generators otherwise use floats of four bytes.
    if (schema.type === 'number') return { ...schema, format: schema.format ?? 'double' };
    // Explicit, because generators otherwise use integers of four bytes, which sequences exceed.
    if (schema.type === 'integer') return { ...schema, format: schema.format ?? 'int64' };
    return schema;
  }

  /** An object of arbitrary properties; `metadata`, which most entities have, is a component. */
  private freeForm(schema: Schema, { property, isInput }: SchemaPosition): Schema {
    const whole = { ...schema, additionalProperties: schema.additionalProperties ?? true };
    return property === 'metadata'
      ? this.store([isInput ? `Metadata${INPUT}` : 'Metadata', 'MetadataFilter'], whole)
      : whole;
  }

  /** The possible names of the component, the preferred one first. */
  private namesOf({ owner, property, isInput, isParameter = false }: SchemaPosition): string[] {
    const full = owner.endsWith(INPUT) ? owner.slice(0, -INPUT.length) : owner;
    if (property === '') return [full];
    const others = this.views.filter((view) => view !== full).sort((a, b) => b.length - a.length);
    const subject = others.find((view) =>
      isInput ? full.endsWith(view) : (full.endsWith(view) || full.startsWith(view)) && this.has(view, property),
    );
    const names = [subject, full].filter((base) => base !== undefined).map((base) => base + pascal(property));
    return [...names, `${full}${pascal(property)}${isParameter ? 'Filter' : 'Value'}`];
  }

  private has(view: string, property: string): boolean {
    return this.schemas[view + pascal(property)] !== undefined;
  }

  /** Stores the schema under the first name that is free or already has the same schema. */
  private store(names: string[], schema: Schema): Schema {
    const text = JSON.stringify(schema);
    const isFree = (name: string): boolean =>
      this.schemas[name] === undefined || JSON.stringify(this.schemas[name]) === text;
    const name = names.find((candidate) => !this.taken.has(candidate) && isFree(candidate));
    if (name === undefined) throw new Error(`different schemas have the same name: ${names.join(', ')}`);
    this.schemas[name] = schema;
    return refTo(name);
  }
}

/** Names for values such as `!done`, `-created_at` and `*:read`, for which generators make no readable constants. */
function varNames(values: readonly unknown[]): Schema | undefined {
  if (values.every((value) => /^[a-z]\w*$/i.test(String(value)))) return undefined;
  return { 'x-enum-varnames': values.map((value) => constantOf(String(value))) };
}

const constantOf = (value: string): string =>
  value
    .replace(/^!/, 'except_')
    .replace(/^-(.*)$/, '$1_desc')
    .replaceAll('*', 'all')
    .replaceAll(/\W/g, '_')
    .replace(/^\d/, 'value_$&')
    .toUpperCase();

function singular(property: string): string {
  if (property.endsWith('ies')) return `${property.slice(0, -3)}y`;
  return property.replace(/(?<![su])s$/, '');
}
