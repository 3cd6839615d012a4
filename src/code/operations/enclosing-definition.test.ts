import { expect, test } from 'vitest';
import { languageOf } from '../languages.ts';
import { symbolLanguages } from '../symbols/extract/languages/index.ts';
import { createSymbolReader } from '../symbols/extract/symbol-reader.ts';
import { shapeOf } from '../symbols/file-shape.ts';
import { FileSyntax } from './file-syntax.ts';

const read = await createSymbolReader(symbolLanguages);

/** The definition around each line with `hit1`, `hit2` and so on. */
function around(path: string, text: string): Record<string, string | undefined> {
  const symbols = read(text, path, languageOf(path) ?? '');
  if (symbols === undefined) throw new Error(`no grammar for ${path}`);
  const syntax = new FileSyntax(shapeOf(symbols));
  return Object.fromEntries(
    text.split('\n').flatMap((line, at) => {
      const hit = /hit\d+/.exec(line)?.[0];
      return hit === undefined ? [] : [[hit, syntax.facts(at + 1, () => false).in]];
    }),
  );
}

test('Rust: items in macros belong to themselves, and rules to their macro', () => {
  const text = `macro_rules! rules {
    ($x:expr) => {
        fn inner() { hit1($x) }
    };
}
cfg_if! {
    if #[cfg(unix)] {
        pub fn on_unix(brace: char) {
            match brace { '{' => hit2("}"), _ => {} }
        }
        mod deep { impl Foo { fn bar(&self) -> u8 {
            hit3()
        } } }
    } else if #[cfg(windows)] {
        impl<'a> Trait for Other<'a> {
            fn method(&self) {
                hit4();
            }
        }
    }
}
crate::cfg_rt! {
    // Comments before items.
    #[derive(Debug)]
    impl<T> Spawner<T> where T: Send {
        pub async fn spawn(self) {
            select! { x = hit5() => {} }
        }
    }
    cfg_unstable! {
        fn twice() {
            hit6();
        }
    }
}
lazy_static! {
    static ref NAME: u8 = hit7();
}
bitflags! {
    struct Flags: u32 {
        const A = hit8;
    }
}
fn last(
    a: u8, // hit9
) {}
#[cfg(feature = "json")]
define_rejection! {
    #[status = BAD_REQUEST]
    #[body = "Failed: { [json]"]
    /// Rejection for [\`Json\`](super::Json).
    pub struct MissingType(
        hit10,
    );
}
`;
  expect(around('a.rs', text)).toEqual({
    hit1: 'rules',
    hit2: 'on_unix',
    hit3: 'deep.Foo.bar',
    hit4: 'Other.method',
    hit5: 'Spawner.spawn',
    hit6: 'twice',
    hit7: undefined,
    hit8: undefined,
    hit9: 'last',
    hit10: 'MissingType',
  });
});

test('Rust: methods of a pointer belong to what it points to', () => {
  const text = `impl Schedule for Arc<Handle> {
    fn release(&self) { hit1() }
}
impl<'a> Read for Pin<&'a mut io::Reader<'a>> {
    fn read(&self) { hit2() }
}
impl<T: Draw> Draw for Box<T> {
    fn draw(&self) { hit3() }
}
impl Draw for std::rc::Rc<Box<dyn Shape>> {
    fn draw(&self) { hit4() }
}
`;
  expect(around('a.rs', text)).toEqual({
    hit1: 'Handle.release',
    hit2: 'Reader.read',
    hit3: 'Box.draw',
    hit4: 'Shape.draw',
  });
});

test('C++: templates, classes behind macros, blocks of macros, and which overload it is', () => {
  const text = `LIB_TEMPLATE_HEAD
class box // NOLINT(some-check)
    : public base<T>
{
  LIB_PRIVATE_UNLESS_TESTED:
    template <typename U,
              enable_if_t<hit1, int> = 0>
    auto put(const U& u,
             int n) -> decltype(u) {
        LIB_TRY
        {
            hit2();
        }
        LIB_CATCH (std::out_of_range&)
        {
            hit3();
        }
    }
    void get(bool* /*unused*/) const
    {
        hit4();
    }
    void get(int) { 
        hit5();
    }
};
template <class T>
template <class U>
void far<T>::away(U u) {
  hit6();
}
`;
  expect(around('a.cpp', text)).toEqual({
    hit1: 'box.put',
    hit2: 'box.put',
    hit3: 'box.put',
    hit4: 'box.get(bool* /*unused*/)',
    hit5: 'box.get(int)',
    hit6: 'far.away',
  });
});

test.each([
  [
    'a.ts',
    "@Component({\n  hit1: 1,\n})\nexport class A {\n  @Input({ hit2: 1 })\n  @Other()\n  run(\n    @Param('hit3') x: string,\n  ): void {}\n}\n",
    ['A', 'A.run', 'A.run'],
  ],
  [
    'a.py',
    '@hit1(\n  x=1,\n)\n@other\ndef f(\n    a=1,\n    b=hit2,\n) -> int:\n    pass\nclass A(\n    hit3,\n):\n    pass\n',
    ['f', 'f', 'A'],
  ],
  [
    'A.java',
    '@Entity(\n  name = hit1)\npublic class A {\n  @Override\n  @Named(value = 1,\n    hit2 = 3)\n  public <T>\n  T run(\n      String hit3) {\n  }\n}\n',
    ['A', 'A.run', 'A.run'],
  ],
  [
    'a.kt',
    '@Foo(\n  hit1\n)\ninline fun <reified T> run(\n    a: Int = hit2,\n): Int where T : Any {\n    hit3()\n}\n',
    ['run', 'run', 'run'],
  ],
  [
    'a.go',
    'func (s *Store) Get(\n\tctx hit1,\n) (\n\thit2 error,\n) {\n\thit3()\n}\n',
    ['Store.Get', 'Store.Get', 'Store.Get'],
  ],
  [
    'a.php',
    '<?php\n#[Entity(\n  hit1: 1\n)]\nclass A {\n  #[Route("/hit2")]\n  public function run(\n    int $hit3,\n  ): void {}\n}\n',
    ['A', 'A.run', 'A.run'],
  ],
  [
    'a.cs',
    '[Serializable(\n  hit1)]\npublic class A {\n  [Foo]\n  [Bar("hit2")]\n  public int Run(\n    int hit3) {\n  }\n}\n',
    ['A', 'A.Run', 'A.Run'],
  ],
  [
    'a.scala',
    '@old("hit1")\ndef run[A](\n  a: Int = hit2\n)(implicit\n  b: hit3\n): Int = {\n  1\n}\n',
    ['run', 'run', 'run'],
  ],
  [
    'a.rb',
    'class A\n  def run(\n    hit1,\n    b: hit2\n  )\n    hit3\n  end\nend\n',
    ['A.run', 'A.run', 'A.run'],
  ],
  [
    'a.ex',
    'defmodule A do\n  def run(\n        %{hit1: x},\n        hit2\n      ) do\n    hit3()\n  end\nend\n',
    ['A.run', 'A.run', 'A.run'],
  ],
])('%s: a head of several lines belongs to its definition', (path, text, names) => {
  expect(Object.values(around(path, text))).toEqual(names);
});
