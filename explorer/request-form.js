import { exampleOf, parametersOf, resolve, valuesOf } from './document.js';
import { make, words } from './elements.js';
import { prefixesIn, withOwnIds } from './own-things.js';

const isJson = (type) => type === 'application/json';

/** The form of one operation: its parameters and its body, filled in so that sending them works. */
export class RequestForm {
  #document;
  #entry;
  #inputs = [];
  #body;
  #file;

  constructor(document, entry) {
    this.#document = document;
    this.#entry = entry;
    const parameters = parametersOf(document, entry.operation);
    const needed = parameters.filter(({ required }) => required);
    const optional = parameters.filter(({ required }) => !required);
    this.element = make(
      'div',
      { class: 'fields' },
      needed.map((one) => this.#field(one)),
      optional.length > 0 &&
        make(
          'details',
          {},
          make('summary', {}, `Optional parameters (${optional.length})`),
          optional.map((one) => this.#field(one)),
        ),
      this.#bodyField(),
    );
  }

  /** Replaces the ids of the examples by own ones; returns the kinds of which there is none. */
  async fillIn(things) {
    const fields = [...this.#inputs.filter(({ input }) => input.value !== '').map(({ input }) => input), this.#body];
    const texts = fields.map((field) => field?.value ?? '');
    const ids = await things.idsFor(texts.join('\n'));
    fields.forEach((field, at) => {
      // What was typed meanwhile stays.
      if (field !== undefined && field.value === texts[at]) field.value = withOwnIds(texts[at], ids);
    });
    return prefixesIn(texts.join('\n')).filter((prefix) => ids[prefix] === undefined);
  }

  /** Sets a property of the body; what is typed in it has to be JSON. */
  setProperty(name, value) {
    this.#body.value = JSON.stringify({ ...JSON.parse(this.#body.value), [name]: value }, null, 2);
  }

  /** The URL, method, headers and body as they are sent. */
  request() {
    const { method, path } = this.#entry;
    const query = new URLSearchParams();
    const headers = {};
    let target = path;
    for (const { parameter, input } of this.#inputs) {
      const { name, in: place } = parameter;
      if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value !== '' && place === 'query') query.append(name, input.value);
      else if (input.value !== '') headers[name] = input.value;
    }
    const search = query.size > 0 ? `?${query}` : '';
    const file = this.#file?.files[0];
    if (file !== undefined)
      return {
        method,
        url: target + search,
        headers: { ...headers, 'Content-Type': 'application/octet-stream' },
        body: file,
      };
    if (this.#body === undefined || this.#body.value.trim() === '') return { method, url: target + search, headers };
    return {
      method,
      url: target + search,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: this.#body.value,
    };
  }

  #field(parameter) {
    const { name, required, description, schema } = parameter;
    const values = valuesOf(this.#document, schema);
    const isList = resolve(this.#document, schema).type === 'array';
    const example = required ? (parameter.example ?? exampleOf(this.#document, schema)) : '';
    const attributes = { name, required, 'aria-label': name, autocomplete: 'off', spellcheck: 'false' };
    const options = (values ?? []).map((value) => make('option', { value }, String(value)));
    const isChoice = values !== undefined && !isList;
    const list = isList && values !== undefined ? `values-${this.#entry.operation.operationId}-${name}` : undefined;
    const input = isChoice
      ? make('select', attributes, !required && make('option', { value: '' }, ''), options)
      : make('input', { ...attributes, list, value: typeof example === 'object' ? '' : String(example ?? '') });
    this.#inputs.push({ parameter, input });
    return make(
      'label',
      { class: 'field' },
      make('span', { class: 'name' }, name, required && make('em', {}, ' required')),
      input,
      list && make('datalist', { id: list }, options),
      make('small', {}, words(description ?? '')),
    );
  }

  #bodyField() {
    const body = resolve(this.#document, this.#entry.operation.requestBody);
    if (body === undefined) return undefined;
    const types = Object.keys(body.content);
    if (types.includes('multipart/form-data')) {
      this.#file = make('input', { type: 'file', 'aria-label': 'File' });
      return make('label', { class: 'field' }, make('span', { class: 'name' }, 'file'), this.#file);
    }
    const media = body.content[types.find(isJson) ?? types[0]];
    const example = media.example ?? exampleOf(this.#document, media.schema);
    const text = JSON.stringify(example, null, 2);
    this.#body = make('textarea', {
      'aria-label': 'Body',
      spellcheck: 'false',
      rows: Math.min(20, text.split('\n').length + 1),
    });
    this.#body.value = text;
    return make('label', { class: 'field' }, make('span', { class: 'name' }, 'Body'), this.#body);
  }
}
