/** Whether this browser makes and uses passkeys from JSON, as the service sends it. */
export const hasPasskeys = () => globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;

/** Makes a passkey on this device, and returns what the service stores of it. */
export async function makePasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await navigator.credentials.create({ publicKey })).toJSON();
}

/** Signs the challenge with a passkey of this device. */
export async function signWithPasskey(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}

/** Whether the person has closed the dialog of the browser, which is no fault. */
export const isDismissed = ({ name }) => name === 'NotAllowedError';
