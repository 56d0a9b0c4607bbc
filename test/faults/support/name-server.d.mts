/** A name server on the loopback address that knows the names in `addresses`, as they are at the moment. */
export function startNameServer(
  addresses: Map<string, string>,
): Promise<{ address: string; close: () => Promise<void> }>;
