import { uniteMetrics } from './worker-metrics.js';

const first = `# HELP requests Requests.
# TYPE requests counter
requests_total{route="/a",status="2xx"} 5 # {trace_id="ab",span_id="cd"} 0.01 1700000000
# HELP memory Bytes.
# TYPE memory gauge
memory 100
# EOF
`;
const second = `# HELP memory Bytes.
# TYPE memory gauge
memory 200
# HELP requests Requests.
# TYPE requests counter
requests_total{route="/a",status="2xx"} 7
requests_total{route="{worker}",status="5xx"} 1
# HELP own Only here.
# TYPE own gauge
own 1
# EOF
`;

describe('the metrics of workers', () => {
  it('are told apart by a label, and kept together by metric', () => {
    const united = uniteMetrics([
      { number: 1, text: first },
      { number: 2, text: second },
    ]);
    expect(united).toBe(`# HELP requests Requests.
# TYPE requests counter
requests_total{worker="1",route="/a",status="2xx"} 5 # {trace_id="ab",span_id="cd"} 0.01 1700000000
requests_total{worker="2",route="/a",status="2xx"} 7
requests_total{worker="2",route="{worker}",status="5xx"} 1
# HELP memory Bytes.
# TYPE memory gauge
memory{worker="1"} 100
memory{worker="2"} 200
# HELP own Only here.
# TYPE own gauge
own{worker="2"} 1
# EOF
`);
  });

  it('are empty if none answers', () => {
    expect(uniteMetrics([])).toBe('# EOF\n');
  });
});
