/** What a helper of this test run says once it is ready (global-setup.ts). */
export const askHelper = <T>(name: string): Promise<T> => askJson<T>(`${process.env.TEST_HELPERS}/${name}`);

/** The result that the other process answers with; throws the error that it reports. */
export async function askJson<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, body && { method: 'POST', body: JSON.stringify(body) });
  const { result, error } = (await response.json()) as { result: T; error?: string };
  if (error !== undefined) throw new Error(error);
  return result;
}
