/** A plain answer that clients ask for again and again: it carries an ETag, though it has no revision. */
export class TaggedData<T extends object> {
  constructor(readonly data: T) {}
}
