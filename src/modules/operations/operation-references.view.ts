/** SQL about operations for the statements of features that know them only by id. */
export const joinOperation = (alias: string, id: string): string => `JOIN operations ${alias} ON ${alias}.id = ${id}`;
