export function describeOptionalExamples<T>(document: T): T;
