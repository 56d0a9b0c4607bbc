/** Long texts of statements, each put together when it is first wanted. The keys must be few. */
export class StatementCache {
  private readonly texts = new Map<string, string>();

  getOrBuild(key: string, make: () => string): string {
    let text = this.texts.get(key);
    if (text === undefined) {
      text = make();
      this.texts.set(key, text);
    }
    return text;
  }
}
