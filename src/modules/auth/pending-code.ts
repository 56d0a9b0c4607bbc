export const MESSAGE = 'If a sign-up with this address is pending, a code has been sent. Enter it before it expires.';

/** The response to a request for a code, which does not reveal whether a mail was sent. */
export interface Pending {
  status: 'pending_verification';
  email: string;
  expires_at: string;
  message: string;
}

/** Builds the response to a request for a code that is valid for that many minutes. */
export const pendingCode = (email: string, minutes: number): Pending => ({
  status: 'pending_verification',
  email,
  expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  message: MESSAGE,
});
