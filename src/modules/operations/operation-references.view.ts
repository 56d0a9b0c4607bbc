/** SQL: joins an operation by id, for statements of other features. */
export const joinOperation = (alias: string, id: string): string => `JOIN operations ${alias} ON ${alias}.id = ${id}`;
