import { Module } from '@nestjs/common';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { LabelRenewals } from './label-renewals.service.js';
import { LabelsController } from './labels.controller.js';
import { LabelsRepository } from './labels.repository.js';
import { LabelsService } from './labels.service.js';

@Module({
  imports: [EndeavoursModule],
  controllers: [LabelsController],
  providers: [LabelRenewals, LabelsRepository, LabelsService],
  exports: [LabelsService],
})
export class LabelsModule {}
