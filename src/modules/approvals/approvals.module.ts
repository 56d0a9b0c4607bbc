import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { approvalContent } from './approval.content.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsService } from './approvals.service.js';

@Module({ controllers: [ApprovalsController], providers: [ApprovalsService] })
export class ApprovalsModule {
  constructor(contents: Contents) {
    contents.register(approvalContent);
  }
}
