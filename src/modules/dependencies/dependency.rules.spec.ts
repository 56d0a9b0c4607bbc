import { KnownEdges } from './dependency.rules.js';

describe('the known edges of a graph', () => {
  it('reach what follows from them, in any number of steps, and from a start without edges only itself', () => {
    const edges = new KnownEdges();
    for (const [from, to] of ['ab', 'bc', 'cd', 'bd', 'xa']) edges.add(from, to);
    const reached = ['a', 'b', 'c', 'd', 'x', 'y'].filter((goal) => edges.reaches('a', goal));
    expect(reached).toEqual(['a', 'b', 'c', 'd']);
    expect([edges.reaches('d', 'd'), edges.reaches('d', 'a'), edges.reaches('y', 'a')]).toEqual([true, false, false]);
  });

  it('include those that are added, and end where the edges form a cycle', () => {
    const edges = new KnownEdges();
    edges.add('a', 'b');
    expect(edges.reaches('b', 'a')).toBe(false);
    edges.add('b', 'a');
    expect([edges.reaches('b', 'a'), edges.reaches('a', 'c')]).toEqual([true, false]);
  });
});
