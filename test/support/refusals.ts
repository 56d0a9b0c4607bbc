interface InvalidInput {
  error: { details: { fields: { field: string; code: string }[] } };
}

/** The faults that a 400 names, as `title required`. */
export const faultsOf = (body: InvalidInput): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
