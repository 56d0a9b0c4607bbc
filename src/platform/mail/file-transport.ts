import { link, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { MailTransport, messageOf, type AddressedMail } from './mail-transport.js';

/** Writes each mail to a file if no mail server is configured, and logs its code or token. */
export class FileTransport extends MailTransport {
  private readonly log = new Logger('Mail');
  private readonly transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(
    private readonly directory: string,
    private readonly from: string,
  ) {
    super();
  }

  async send(mail: AddressedMail): Promise<void> {
    const { message } = await this.transport.sendMail(messageOf(mail, this.from));
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.writeFile(mail, message as Buffer);
    const secret = mail.secret === undefined ? '' : `: ${mail.secret}`;
    this.log.log(`to ${mail.to}: ${mail.subject}${secret}`);
  }

  close(): void {
    this.transport.close();
  }

  /** Writes the file atomically, and never replaces another one. */
  private async writeFile(mail: AddressedMail, content: Buffer): Promise<void> {
    const draft = join(this.directory, `.${mail.id}.part`);
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await linkUnderFreeName(draft, (time) => join(this.directory, fileName(time, mail.to)));
    await unlink(draft);
  }
}

async function linkUnderFreeName(draft: string, nameAt: (time: number) => string): Promise<void> {
  for (let time = Date.now(); ; time += 1) {
    try {
      return await link(draft, nameAt(time));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function fileName(time: number, to: string): string {
  const timestamp = new Date(time).toISOString().replaceAll(':', '-');
  return `${timestamp}-${to.replaceAll(/[^a-zA-Z0-9@._+-]/g, '_').slice(0, 150)}.eml`;
}
