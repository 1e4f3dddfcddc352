namespace Matchyard
{
    /// <summary>
    /// Reads and writes JSON (RFC 8259) without libraries and without reflection, which Unity's ahead-of-time compiler would strip.
    /// </summary>
    public static class JsonText
    {
        /// <summary>Maximum nesting depth; the text itself is the first level.</summary>
        public const int MaxDepth = 64;

        /// <summary>
        /// Reads a JSON text into null, bool, string, long, double, <see cref="JsonObject"/> or <see cref="JsonArray"/>. Stricter than the
        /// standard for ambiguous texts: it also rejects repeated names, half surrogate pairs, numbers too large for a double, and more
        /// than <see cref="MaxDepth"/> levels.
        /// </summary>
        /// <exception cref="JsonFormatException">The text is not JSON; the message contains the position.</exception>
        public static object Parse(string text)
        {
            return new JsonReader(text).ReadDocument();
        }

        /// <summary>Reads a JSON text that must be an object.</summary>
        /// <exception cref="JsonFormatException">The text is not JSON, or not an object.</exception>
        public static JsonObject ParseObject(string text)
        {
            var found = Parse(text) as JsonObject;
            if (found == null) throw new JsonFormatException("it is JSON, but not an object");
            return found;
        }

        /// <summary>
        /// Returns a value as JSON: null, bool, string, char, numbers of any kind, dictionaries with text keys, lists and arrays.
        /// </summary>
        /// <exception cref="JsonFormatException">The value contains another type, a number that is not finite, or too many
        /// levels.</exception>
        public static string Write(object value)
        {
            return new JsonWriter().Write(value);
        }
    }
}
