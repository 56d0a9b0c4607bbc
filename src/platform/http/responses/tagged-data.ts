/** A plain response with an ETag although it has no revision, because clients request it repeatedly. */
export class TaggedData<T extends object> {
  constructor(readonly data: T) {}
}
