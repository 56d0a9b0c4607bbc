import {
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
interface Place {
  owner: string;
  property: string;
  /** Bodies have separate components, because they accept less than answers contain. */
  isInput: boolean;
  /** A parameter may accept more values than the property. */
  isParameter?: boolean;
}

const INPUT = 'Input';

/** Suffixes that generators use for parts of an operation; no schema may have such a name. */
const OF_OPERATIONS = ['Body', 'Data', 'Error', 'Params', 'Request', 'Response', 'Result'];

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
    this.taken = new Set(operations.flatMap((name) => OF_OPERATIONS.map((suffix) => name + suffix)));
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
    for (const name of ordered) this.schemas[name] = this.inside(this.schemas[name], name, isInput(name));
    for (const { method, operation } of operationsIn(this.document)) {
      const owner = pascal(operation.operationId);
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content ?? {})) {
          if (media.schema.$ref === undefined) media.schema = this.envelope(media.schema, owner, status);
        }
      }
      const other = operation['x-or-answer'];
      if (other !== undefined) operation['x-or-answer'] = this.envelope(other, owner, '200');
      for (const parameter of operation.parameters ?? []) {
        // Generators look for the values of a path parameter in its own schema.
        if (parameter.$ref !== undefined || parameter.in === 'path') continue;
        const subject = this.subjectOf(method, operation) ?? owner;
        parameter.schema = this.placed(parameter.schema, {
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
      return this.keep([`${owner}Answer`], { oneOf: schema.oneOf.map((one) => this.envelope(one, owner, status)) });
    }
    if (data === undefined) return this.placed(schema, { owner, property: '', isInput: false });
    const item = data.type === 'array' ? data.items : data;
    const isNamed = item?.$ref !== undefined;
    const name = isNamed ? nameOfRef(item?.$ref ?? '') : `${owner}${status === '202' ? 'Accepted' : ''}`;
    const kind = meta !== undefined ? 'Page' : data.type === 'array' ? 'ListEnvelope' : 'Envelope';
    const place = { owner: name, property: '', isInput: false };
    const placed =
      data.type === 'array' ? { ...data, items: this.placed(data.items ?? {}, place) } : this.placed(data, place);
    return this.keep([`${name}${kind}`], { ...schema, properties: { ...schema.properties, data: placed } });
  }

  /** The schema of a component with nested schemas replaced by references. */
  private inside(schema: Schema, owner: string, isInput: boolean): Schema {
    const { properties, items, additionalProperties } = schema;
    return {
      ...schema,
      ...(items && { items: this.placed(items, { owner, property: 'item', isInput }) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.placed(additionalProperties, { owner, property: 'value', isInput }),
      }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([property, nested]) => [
            property,
            this.placed(nested, { owner, property, isInput }),
          ]),
        ),
      }),
    };
  }

  /** The replacement for the schema at that position. */
  private placed(schema: Schema, place: Place): Schema {
    const { core, isNullable, description } = split(plainConst(schema));
    const said = description !== undefined && { description };
    const inner = this.core(core, place);
    if (!isNullable) return { ...inner, ...said };
    if (inner.$ref !== undefined || inner.anyOf !== undefined) {
      return { ...said, anyOf: [...(inner.anyOf ?? [inner]), { type: 'null' }] };
    }
    return { ...inner, type: [inner.type as string, 'null'], ...said };
  }

  private core(schema: Schema, place: Place): Schema {
    const { property, isInput } = place;
    if (schema.$ref !== undefined) return withoutType(schema);
    if (schema.anyOf !== undefined) {
      return { ...schema, anyOf: schema.anyOf.map((one) => this.placed(one, place)) };
    }
    if (schema.enum !== undefined && schema.type === 'string') {
      const { type, enum: values, ...beside } = schema;
      return { ...beside, ...this.keep(this.namesOf(place), { type, enum: values, ...varNames(values) }) };
    }
    if (schema.properties !== undefined) {
      const { example, title, ...rest } = schema;
      const found = this.namesOf(place).map((name) => (isInput ? `${name}${INPUT}` : name));
      const names = title === undefined ? found : [title];
      return { ...this.keep(names, this.inside(rest, names[0], isInput)), ...(example !== undefined && { example }) };
    }
    if (schema.items !== undefined) {
      return { ...schema, items: this.placed(schema.items, { ...place, property: singular(property) }) };
    }
    if (typeof schema.additionalProperties === 'object') {
      return {
        ...schema,
        additionalProperties: this.placed(schema.additionalProperties, {
          ...place,
          property: `${singular(property)}_value`,
        }),
      };
    }
    // Otherwise generators do not know that the values can be anything.
    if (schema.type === 'object') return { ...schema, additionalProperties: schema.additionalProperties ?? true };
    // Otherwise generators use floats of four bytes.
    if (schema.type === 'number') return { ...schema, format: schema.format ?? 'double' };
    return schema;
  }

  /** The possible names of the component, the best first. */
  private namesOf({ owner, property, isInput, isParameter = false }: Place): string[] {
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
  private keep(names: string[], schema: Schema): Schema {
    const text = JSON.stringify(schema);
    const isFree = (one: string): boolean =>
      this.schemas[one] === undefined || JSON.stringify(this.schemas[one]) === text;
    const name = names.find((one) => !this.taken.has(one) && isFree(one));
    if (name === undefined) throw new Error(`different schemas have the same name: ${names.join(', ')}`);
    this.schemas[name] = schema;
    return refTo(name);
  }
}

/** Names for values such as `!done`, for which some generators make no readable constant. */
function varNames(values: readonly unknown[]): Schema | undefined {
  if (!values.some((value) => String(value).startsWith('!'))) return undefined;
  const names = values.map((value) => String(value).replace('!', 'except_').replaceAll(/\W/g, '_').toUpperCase());
  return { 'x-enum-varnames': names };
}

function singular(property: string): string {
  if (property.endsWith('ies')) return `${property.slice(0, -3)}y`;
  return property.replace(/(?<![su])s$/, '');
}
