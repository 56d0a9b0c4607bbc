import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { approvalContent } from './approval.content.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { ApprovalsService } from './approvals.service.js';

@Module({ controllers: [ApprovalsController], providers: [ApprovalsRepository, ApprovalsService] })
export class ApprovalsModule {
  constructor(contents: Contents) {
    contents.register(approvalContent);
  }
}
