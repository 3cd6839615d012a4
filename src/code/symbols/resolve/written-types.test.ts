import { expect, test } from 'vitest';
import { writtenType } from './written-types.ts';

test.each([
  ['go', 's := &Server{\n\tname: "a",\n}\nserve := func(s *Other) error {\n\treturn s.run()\n}\n', 'Server'],
  ['go', 's := &Server{}\nserve := func(s *Other) error {\n\treturn ', 'Other'],
  ['go', 's := &Server{}\nif ok {\n\ts := &Other{}\n\ts.run()\n}\n', 'Server'],
  ['go', 's := &Server{}\nif ok {\n\ts := &Other{}\n\t', 'Other'],
  ['go', 'func (s *Server) Run(n int) {\n\tif n > 0 {\n\t\tn--\n\t}\n\t', 'Server'],
  ['java', 'Server s = make();\nfor (Other s : all) {\n  s.run();\n}\n', 'Server'],
  ['rust', 'let s = Server::new();\n{\n  let s = Other::new();\n}\n', 'Server'],
  ['python', 's = Server()\nfor s in {1: 2}:\n  pass\n', 'Server'],
])('%s: %j', (language, before, type) => {
  expect(writtenType(language, 's', before)).toBe(type);
});
