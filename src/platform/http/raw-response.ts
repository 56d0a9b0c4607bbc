/** An answer in another form than JSON, sent as it is. */
export class RawResponse {
  constructor(
    readonly body: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
