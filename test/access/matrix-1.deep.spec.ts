import { describeMatrix } from './matrix.js';
import { ROWS } from './routes/all.js';

describeMatrix(ROWS.filter((_row, index) => index % 4 === 0));
