using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Matchyard
{
    internal sealed class JsonReader
    {
        private readonly string text;
        private int at;

        public JsonReader(string text)
        {
            if (text == null) throw new ArgumentNullException("text");
            this.text = text;
        }

        public object ReadDocument()
        {
            SkipSpace();
            var value = ReadValue(1);
            SkipSpace();
            if (at < text.Length) throw Fault("nothing more is expected");
            return value;
        }

        private object ReadValue(int depth)
        {
            if (depth > JsonText.MaxDepth) throw Fault("it is nested deeper than " + JsonText.MaxDepth + " levels");
            switch (Peek())
            {
                case '{': return ReadObject(depth);
                case '[': return ReadArray(depth);
                case '"': return ReadString();
                case 't': return ReadWord("true", true);
                case 'f': return ReadWord("false", false);
                case 'n': return ReadWord("null", null);
                default: return ReadNumber();
            }
        }

        private JsonObject ReadObject(int depth)
        {
            var found = new JsonObject();
            at++;
            SkipSpace();
            if (!Take('}'))
            {
                do
                {
                    SkipSpace();
                    if (Peek() != '"') throw Fault("a name is expected");
                    var start = at;
                    var name = ReadString();
                    if (found.ContainsKey(name))
                    {
                        at = start;
                        throw Fault("a name stands twice");
                    }
                    SkipSpace();
                    Expect(':');
                    SkipSpace();
                    found[name] = ReadValue(depth + 1);
                    SkipSpace();
                }
                while (Take(','));
                Expect('}');
            }
            found.Freeze();
            return found;
        }

        private JsonArray ReadArray(int depth)
        {
            var items = new List<object>();
            at++;
            SkipSpace();
            if (Take(']')) return new JsonArray(items);
            do
            {
                SkipSpace();
                items.Add(ReadValue(depth + 1));
                SkipSpace();
            }
            while (Take(','));
            Expect(']');
            return new JsonArray(items);
        }

        private object ReadWord(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Fault("a value is expected");
            at += word.Length;
            return value;
        }

        private object ReadNumber()
        {
            var start = at;
            Take('-');
            if (!Take('0')) Digits();
            var isWhole = true;
            if (Take('.'))
            {
                isWhole = false;
                Digits();
            }
            if (Take('e') || Take('E'))
            {
                isWhole = false;
                if (!Take('+')) Take('-');
                Digits();
            }
            var digits = text.Substring(start, at - start);
            long whole;
            // -0 is a double, because a long has no negative zero.
            if (isWhole && digits != "-0" && long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
            double number;
            const NumberStyles Styles = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
            // Older runtimes return false for numbers that newer runtimes read as infinity.
            if (double.TryParse(digits, Styles, CultureInfo.InvariantCulture, out number) && !double.IsInfinity(number))
            {
                // Older runtimes also lose the sign of zero.
                return number == 0 && digits[0] == '-' ? -0.0 : number;
            }
            at = start;
            throw Fault("the number is too large");
        }

        private void Digits()
        {
            var start = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9') at++;
            if (at == start) throw Fault(start < text.Length ? "a value is expected" : "it ends too early");
        }

        private string ReadString()
        {
            at++;
            var start = at;
            while (at < text.Length && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' && !char.IsSurrogate(text[at])) at++;
            // Fast path: nearly all strings have no escapes.
            if (at < text.Length && text[at] == '"') return text.Substring(start, at++ - start);
            var found = new StringBuilder(text, start, at - start, Math.Max(16, at - start + 16));
            for (; ; )
            {
                var next = Peek();
                if (next < ' ') throw Fault("a control character must be escaped");
                if (next == '"') break;
                var from = at;
                var unit = ReadUnit();
                found.Append(unit);
                if (char.IsHighSurrogate(unit) && at < text.Length && text[at] != '"')
                {
                    var low = ReadUnit();
                    if (char.IsLowSurrogate(low))
                    {
                        found.Append(low);
                        continue;
                    }
                }
                if (!char.IsSurrogate(unit)) continue;
                at = from;
                throw Fault("half of a surrogate pair");
            }
            at++;
            return found.ToString();
        }

        /// <summary>Reads one UTF-16 unit of a string, plain or escaped.</summary>
        private char ReadUnit()
        {
            if (text[at] != '\\') return text[at++];
            at++;
            switch (Peek())
            {
                case '"': at++; return '"';
                case '\\': at++; return '\\';
                case '/': at++; return '/';
                case 'b': at++; return '\b';
                case 'f': at++; return '\f';
                case 'n': at++; return '\n';
                case 'r': at++; return '\r';
                case 't': at++; return '\t';
                case 'u': at++; return ReadCode();
                default: throw Fault("there is no such escape");
            }
        }

        private char ReadCode()
        {
            var code = 0;
            for (var i = 0; i < 4; i++)
            {
                var digit = "0123456789abcdef".IndexOf(char.ToLowerInvariant(Peek()));
                if (digit < 0 || Peek() > 'f') throw Fault("four hexadecimal digits are expected");
                code = code * 16 + digit;
                at++;
            }
            return (char)code;
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) at++;
        }

        private char Peek()
        {
            if (at >= text.Length) throw Fault("it ends too early");
            return text[at];
        }

        private bool Take(char wanted)
        {
            if (at >= text.Length || text[at] != wanted) return false;
            at++;
            return true;
        }

        private void Expect(char wanted)
        {
            if (!Take(wanted)) throw Fault(at < text.Length ? "'" + wanted + "' is expected" : "it ends too early");
        }

        private JsonFormatException Fault(string what)
        {
            return new JsonFormatException("not JSON: " + what + " at character " + at);
        }
    }
}
