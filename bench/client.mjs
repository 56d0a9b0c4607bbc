/** A small client for the service's public interface, used by the programs in bench/. */
export class Client {
  constructor(base, token) {
    this.base = base.replace(/\/$/, '');
    this.token = token;
  }

  /** Signs in and returns a client that acts as that user. */
  async signIn(email, password) {
    const { token } = await this.post('/auth/login', { email, password });
    return new Client(this.base, token);
  }

  get(path) {
    return this.call('GET', path);
  }

  post(path, body) {
    return this.call('POST', path, body);
  }

  patch(path, body) {
    return this.call('PATCH', path, body);
  }

  /** Yields every item of a list, page by page. */
  async *all(path) {
    let next = `/api/v1${path}${path.includes('?') ? '&' : '?'}limit=200&count=false`;
    while (next !== undefined) {
      const response = await this.fetch('GET', next);
      const { data } = await response.json();
      yield* data;
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
  }

  async call(method, path, body) {
    const response = await this.fetch(method, `/api/v1${path}`, body);
    const answer = await response.json();
    if (response.ok) return answer.data;
    throw Object.assign(new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer.error)}`), {
      status: response.status,
      error: answer.error,
    });
  }

  fetch(method, url, body) {
    const headers = { 'content-type': 'application/json' };
    if (this.token !== undefined) headers.authorization = `Bearer ${this.token}`;
    return fetch(`${this.base}${url}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
