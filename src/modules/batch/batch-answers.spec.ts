import { ApiError } from '../../common/errors.js';
import { BatchAnswers } from './batch-answers.js';

const answer = (data: unknown) => ({ status: 200, headers: {}, body: JSON.stringify({ data }) });

describe('the answers of a batch', () => {
  it('are parsed once, however many of their properties later requests refer to', () => {
    const answers = new BatchAnswers();
    answers.add('a', answer({ id: 'tsk_1', title: 'Dig', metadata: { bed: 4 } }));
    const parse = jest.spyOn(JSON, 'parse');
    const read = ['id', 'title', 'metadata'].map((property) => answers.resolver()({ id: 'a', property }));
    expect(read).toEqual(['tsk_1', 'Dig', { bed: 4 }]);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('have no properties if they have no data, and no inherited ones', () => {
    const answers = new BatchAnswers();
    answers.add('none', answer(null));
    answers.add('some', answer({ id: 'tsk_1' }));
    for (const [id, property] of [
      ['none', 'id'],
      ['some', 'constructor'],
      ['absent', 'id'],
    ]) {
      expect(() => answers.resolver()({ id, property })).toThrow(ApiError);
    }
  });
});
