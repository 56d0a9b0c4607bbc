import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** The password of a user is one of the credentials; `users.password_hash` is where it is written. */
export const CREDENTIAL_OBJECTS: DatabaseObjects = {
  functions: [
    /** Keeps the password among the credentials of its user, and ends sign-ins that began with another one. */
    `CREATE FUNCTION keep_password_credential() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      BEGIN
        DELETE FROM credentials WHERE user_id = NEW.id AND kind = 'password';
        INSERT INTO credentials (user_id, kind, secret)
        SELECT NEW.id, 'password', NEW.password_hash WHERE NEW.password_hash IS NOT NULL;
        DELETE FROM pending_sign_ins WHERE user_id = NEW.id;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER users_keep_first_password AFTER INSERT ON users FOR EACH ROW
      WHEN (NEW.password_hash IS NOT NULL) EXECUTE FUNCTION keep_password_credential()`,
    `CREATE TRIGGER users_keep_password AFTER UPDATE OF password_hash ON users FOR EACH ROW
      WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash) EXECUTE FUNCTION keep_password_credential()`,
  ],
};
