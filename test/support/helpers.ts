/** Returns the message that a helper process sends when it is ready; starts the helper if needed (global-setup.ts). */
export const askHelper = <T>(name: string): Promise<T> => askJson<T>(`${process.env.TEST_HELPERS}/${name}`);

/** Returns the result from the other process; throws the error that it reports. */
export async function askJson<T>(url: string, body?: object): Promise<T> {
  const response = await fetch(url, body && { method: 'POST', body: JSON.stringify(body) });
  const { result, error } = (await response.json()) as { result: T; error?: string };
  if (error !== undefined) throw new Error(error);
  return result;
}
