export const MESSAGE = 'If a sign-up with this address is pending, a code has been sent. Enter it before it expires.';

/** A requested code; the same answer whether or not a mail was sent. */
export interface Pending {
  status: 'pending_verification';
  email: string;
  expires_at: string;
  message: string;
}

/** The answer to a request for a code that is valid for so many minutes. */
export const pendingCode = (email: string, minutes: number): Pending => ({
  status: 'pending_verification',
  email,
  expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  message: MESSAGE,
});
