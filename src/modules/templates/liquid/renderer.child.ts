import { serveJobs } from '../../../platform/process/child-pool.js';
import { runTemplate } from './engine.js';

serveJobs(runTemplate);
