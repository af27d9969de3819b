/**
 * The kinds of tokens, as numbers so that a list of tokens fits a typed array.
 *
 * Invariant: kinds that are asked for together have neighbouring numbers. Trivia come first (up to `LastTrivia`). The kinds that
 * a value can begin with run from `Name` to `OpenBracket`, those of whole strings from `SingleQuoted` to `UnterminatedString`,
 * opening brackets from `OpenBrace` to `OpenParen`, closing ones from `CloseBrace` to `CloseParen`. The kinds that end a
 * statement come last (from `FirstBoundary`). The scanner's tables of symbols follow the order from `OpenBrace` to `Or`.
 */
export const Whitespace = 1
/** A line break inside brackets. */
export const Newline = 2
/** `# …` or `// …` without trailing spaces. */
export const Comment = 3
/** A comment with an end of its own, as in JavaScript. */
export const BlockComment = 4
/** The same without its end. */
export const UnclosedComment = 5
/** The byte order mark that a file may begin with. */
export const ByteOrderMark = 6
/** The last of the kinds that mean nothing: spaces and comments. */
export const LastTrivia = 6

/** Words: names of variables, functions and properties, `true`, `false`, `null`, `$env`, `$secret`. */
export const Name = 10
/** A decimal number, such as `1`, `1.5` or `1e3`. */
export const Number = 11
/** A hexadecimal number, such as `0x1f`. */
export const Hex = 12
/** What begins as a number and is not one. */
export const MalformedNumber = 13
/** `'…'`, which is not a string of this language but is often meant as one. */
export const SingleQuoted = 14
/** A closed string without escapes, control characters and opening braces: its text is what it says. */
export const String = 15
/** A closed string that has to be decoded. */
export const EscapedString = 16
/** A string without its closing quote. */
export const UnterminatedString = 17
/** The first quote of a string with templates; text, templates and the last quote follow as their own tokens. */
export const StringOpen = 18

/** `{`. */
export const OpenBrace = 19
/** `{{`. */
export const TemplateOpen = 20
/** `[`. */
export const OpenBracket = 21
/** `(`. */
export const OpenParen = 22
/** `}`. */
export const CloseBrace = 23
/** `}}`, or a single `}` where two were meant. */
export const TemplateClose = 24
/** `]`. */
export const CloseBracket = 25
/** `)`. */
export const CloseParen = 26
/** `,`. */
export const Comma = 27
/** `:`. */
export const Colon = 28
/** `.`. */
export const Dot = 29

/** The first of the operators. */
export const FirstOperator = 30
/** `=`. */
export const Assign = 30
/** `+`. */
export const Plus = 31
/** `-`. */
export const Minus = 32
/** `*`. */
export const Star = 33
/** `/`. */
export const Slash = 34
/** `%`. */
export const Percent = 35
/** `!`. */
export const Not = 36
/** `<`. */
export const Less = 37
/** `>`. */
export const Greater = 38
/** `===`, `!==`, `&` and `|`: operators of other languages. */
export const ForeignOperator = 39
/** `==`. */
export const Equal = 40
/** `!=`. */
export const NotEqual = 41
/** `<=`. */
export const LessOrEqual = 42
/** `>=`. */
export const GreaterOrEqual = 43
/** `&&`. */
export const And = 44
/** `||`. */
export const Or = 45
/** The last of the operators. */
export const LastOperator = 45

/** The text of a string with templates, between its quotes and them. */
export const StringText = 46
/** The last quote of a string with templates. */
export const StringClose = 47
/** Characters that mean nothing here. */
export const Unknown = 48
/** The word that a call begins with. */
export const Method = 49
/** The text after `###`. */
export const Title = 50
/** The `@` of a directive. */
export const DirectiveAt = 51
/** The name of a directive, after its `@`. */
export const DirectiveName = 52
/** The rest of a directive's line. */
export const DirectiveValue = 53

/** The first of the kinds that end a statement. */
export const FirstBoundary = 60
/** A line break that ends a statement. */
export const LineEnd = 60
/** Three or more `#` at column 0. */
export const SectionMark = 61
/** The `#` or `//` before the `@` of a directive. */
export const DirectiveMark = 62
/** The `@` of a variable. */
export const VariableMark = 63
/** `??` */
export const CheckMark = 64
/** What stands behind the last token of a list. */
export const EndOfFile = 65
