/** A response in a format other than JSON, sent unchanged. */
export class RawResponse {
  constructor(
    readonly body: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
