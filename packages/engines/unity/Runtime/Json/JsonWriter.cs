using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Matchyard
{
    internal sealed class JsonWriter
    {
        private readonly StringBuilder written = new StringBuilder();

        public string Write(object value)
        {
            Append(value, 1);
            return written.ToString();
        }

        private void Append(object value, int depth)
        {
            if (depth > JsonText.MaxDepth) throw new JsonFormatException("a value is nested deeper than " + JsonText.MaxDepth + " levels");
            if (value == null) written.Append("null");
            else if (value is bool) written.Append((bool)value ? "true" : "false");
            else if (value is string) AppendText((string)value);
            else if (value is char) AppendText(value.ToString());
            else if (value is double) AppendNumber((double)value, ((double)value).ToString("R", CultureInfo.InvariantCulture));
            else if (value is float) AppendNumber((float)value, ((float)value).ToString("R", CultureInfo.InvariantCulture));
            else if (IsWhole(value) || value is decimal) written.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else if (value is JsonObject) AppendObject((JsonObject)value, depth);
            else if (value is IDictionary<string, object>) AppendObject((IDictionary<string, object>)value, depth);
            else if (value is IDictionary) AppendObject(NamesOf((IDictionary)value), depth);
            else if (value is IEnumerable) AppendList((IEnumerable)value, depth);
            else throw new JsonFormatException("a " + value.GetType().FullName + " cannot be said in JSON: use texts, numbers, bools, dictionaries and lists");
        }

        private static bool IsWhole(object value)
        {
            return value is int || value is long || value is short || value is byte || value is uint || value is ulong || value is ushort || value is sbyte;
        }

        private static IEnumerable<KeyValuePair<string, object>> NamesOf(IDictionary dictionary)
        {
            foreach (DictionaryEntry entry in dictionary)
            {
                var name = entry.Key as string;
                if (name == null) throw new JsonFormatException("the keys of a dictionary must be texts");
                yield return new KeyValuePair<string, object>(name, entry.Value);
            }
        }

        private void AppendObject(IEnumerable<KeyValuePair<string, object>> entries, int depth)
        {
            var separator = '{';
            foreach (var entry in entries)
            {
                written.Append(separator);
                AppendText(entry.Key);
                written.Append(':');
                Append(entry.Value, depth + 1);
                separator = ',';
            }
            written.Append(separator == '{' ? "{}" : "}");
        }

        private void AppendList(IEnumerable items, int depth)
        {
            var separator = '[';
            foreach (var item in items)
            {
                written.Append(separator);
                Append(item, depth + 1);
                separator = ',';
            }
            written.Append(separator == '[' ? "[]" : "]");
        }

        private void AppendNumber(double value, string digits)
        {
            if (double.IsNaN(value) || double.IsInfinity(value)) throw new JsonFormatException("a number that is not finite cannot be said in JSON");
            // In older runtimes, a text written with "R" is not always read back as the same number.
            if (value.ToString("R", CultureInfo.InvariantCulture) == digits && double.Parse(digits, CultureInfo.InvariantCulture) != value)
            {
                digits = value.ToString("G17", CultureInfo.InvariantCulture);
            }
            written.Append(digits);
        }

        private void AppendText(string text)
        {
            written.Append('"');
            for (var i = 0; i < text.Length; i++)
            {
                var unit = text[i];
                if (unit == '"' || unit == '\\') written.Append('\\').Append(unit);
                else if (unit < ' ' || unit == '\u007f' || unit == '\u2028' || unit == '\u2029') written.Append("\\u").Append(((int)unit).ToString("x4", CultureInfo.InvariantCulture));
                else if (!char.IsSurrogate(unit)) written.Append(unit);
                else if (char.IsHighSurrogate(unit) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1])) written.Append(unit).Append(text[++i]);
                else throw new JsonFormatException("a text holds half of a surrogate pair");
            }
            written.Append('"');
        }
    }
}
