/**
 * Moves the examples of optional parameters into their descriptions, in place. Swagger UI would send them: the same
 * Idempotency-Key twice, or an outdated If-Match.
 */
export function describeOptionalExamples(document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const declared = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...declared, ...Object.values(document.components?.parameters ?? {})]) {
    if (parameter.required !== true && parameter.schema !== undefined) describe(parameter);
  }
  return document;
}

function describe(parameter) {
  const { schema } = parameter;
  const example = parameter.example ?? schema.example ?? schema.examples?.[0];
  for (const holder of [parameter, schema]) {
    delete holder.example;
    delete holder.examples;
  }
  if (example === undefined || typeof example === 'object') return;
  parameter.description = `${parameter.description ?? ''} Example: \`${example}\``.trim();
}

export const OptionalExamplesPlugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (document) => original(describeOptionalExamples(document)),
      },
    },
  },
});
