namespace Matchyard
{
    /// <summary>
    /// Reads and writes JSON (RFC 8259), by hand, so that nothing is needed besides .NET and nothing is looked up by reflection, which Unity's
    /// ahead-of-time compiler would strip.
    /// </summary>
    public static class JsonText
    {
        /// <summary>How deep a text may be nested, itself being the first level.</summary>
        public const int MaxDepth = 64;

        /// <summary>
        /// What the text says: null, bool, string, long, double, <see cref="JsonObject"/> or <see cref="JsonArray"/>. Strict, and stricter than
        /// the standard in what has no one meaning: a name that stands twice, half a surrogate pair, a number too large for a double, and
        /// more than <see cref="MaxDepth"/> levels are refused as well.
        /// </summary>
        /// <exception cref="JsonFormatException">It is not JSON; the message says where.</exception>
        public static object Parse(string text)
        {
            return new JsonReader(text).ReadDocument();
        }

        /// <summary>The same for a text that must be an object.</summary>
        /// <exception cref="JsonFormatException">It is not JSON, or not an object.</exception>
        public static JsonObject ParseObject(string text)
        {
            var found = Parse(text) as JsonObject;
            if (found == null) throw new JsonFormatException("it is JSON, but not an object");
            return found;
        }

        /// <summary>
        /// A value as JSON: null, bool, string, char, numbers of any kind, dictionaries with text keys, lists and arrays.
        /// </summary>
        /// <exception cref="JsonFormatException">Something else is in it, a number is not finite, or it is nested too deep.</exception>
        public static string Write(object value)
        {
            return new JsonWriter().Write(value);
        }
    }
}
