using System;

namespace Matchyard
{
    /// <summary>A text is not JSON, or a value cannot be said in JSON.</summary>
    public sealed class JsonFormatException : FormatException
    {
        /// <summary>What is wrong, and where.</summary>
        public JsonFormatException(string message) : base(message)
        {
        }
    }
}
