import { ApiError } from '../../common/errors.js';
import { BatchResponses } from './batch-responses.js';

const response = (data: unknown) => ({ status: 200, headers: {}, body: JSON.stringify({ data }) });

describe('the responses of a batch', () => {
  it('are parsed once, however many of their properties later requests refer to', () => {
    const responses = new BatchResponses();
    responses.add('a', response({ id: 'tsk_1', title: 'Dig', metadata: { bed: 4 } }));
    const parse = jest.spyOn(JSON, 'parse');
    const read = ['id', 'title', 'metadata'].map((property) => responses.resolver()({ id: 'a', property }));
    expect(read).toEqual(['tsk_1', 'Dig', { bed: 4 }]);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('have no properties if they have no data, and no inherited ones', () => {
    const responses = new BatchResponses();
    responses.add('none', response(null));
    responses.add('some', response({ id: 'tsk_1' }));
    for (const [id, property] of [
      ['none', 'id'],
      ['some', 'constructor'],
      ['absent', 'id'],
    ]) {
      expect(() => responses.resolver()({ id, property })).toThrow(ApiError);
    }
  });
});
