interface InvalidInput {
  error: { details: { fields: { field: string; code: string }[] } };
}

/** The field errors of a 400 response, as `title required`. */
export const fieldErrorsOf = (body: InvalidInput): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

interface Refusal {
  body: { error: { details: { reason?: string } } };
}

/** The reason of a refusal, such as `archived`. */
export const reasonOf = ({ body }: Refusal): string | undefined => body.error.details.reason;
